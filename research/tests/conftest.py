import tests.conftest  # noqa: F401  # the folders and profiles of all tests
