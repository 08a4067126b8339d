"""Trees that other libraries have grown, as bough's own."""
