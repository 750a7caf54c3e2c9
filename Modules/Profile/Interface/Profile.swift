/// What is known of a user, and where a user can go from there.
public enum Profile {}
