"""The interactive viewer: a page of this machine in the browser; viser serves it, and is loaded when one is opened."""
