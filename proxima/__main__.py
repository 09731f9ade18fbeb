"""`python -m proxima` is the `proxima` command."""

from proxima.cli.main import main

if __name__ == "__main__":
    main()
