"""The physics leaves: joints, clearances, contact and friction laws, forces, motions; one concept, one file."""
