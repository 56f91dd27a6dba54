"""Views: figures of mechanisms and results. They read a mechanism or a dataset and compute no mechanics."""
