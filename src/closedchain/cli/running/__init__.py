"""What `closedchain run` is made of: which studies, for how long, progress, files, figures in a second process."""
