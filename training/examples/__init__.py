"""Short programs that show how to plug the environments into one's own code."""
