"""Play money: a stake that everybody at a table puts up, and the books in which every coin is accounted for."""
