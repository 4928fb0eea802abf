class Browser:
    pass
