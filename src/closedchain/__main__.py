"""`python -m closedchain` is the command line."""

from closedchain.cli.main import main

if __name__ == "__main__":
    main()
