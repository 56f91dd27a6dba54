"""Makes the generated parts of the documentation from the program itself."""
