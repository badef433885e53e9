"""Training and evaluation: adapters to learning libraries, and programs that use them."""
