"""Looking ahead."""
