"""What ``buraco bench`` measures: the engine, melds, stores, pictures, and the whole program under load."""
