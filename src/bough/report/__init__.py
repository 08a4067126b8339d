"""A tree and what is known about it → one page of HTML that needs no network, or a card in a notebook."""
