"""What each command does, a module a subject; `vocabulary` names them all."""
