/// What a user writes down: kept here, and synchronised with the server.
public enum Notes {}
