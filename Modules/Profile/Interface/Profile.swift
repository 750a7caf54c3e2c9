/// The profiles of users, and the links that they offer.
public enum Profile {}
