"""A growth as one page of HTML to step through, without a network."""
