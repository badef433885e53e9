"""Short programs that show how to plug the environments into your own code."""
