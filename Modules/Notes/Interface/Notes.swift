/// The notes of a user: kept here, and synchronised with the server.
public enum Notes {}
