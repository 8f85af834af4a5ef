"""Where pictures are drawn: in threads of this process, or in processes of their own."""
