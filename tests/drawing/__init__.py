"""Where pictures are drawn: in threads, and in processes of their own."""
