"""PostgreSQL servers for tests, and what stands between them and a portal."""
