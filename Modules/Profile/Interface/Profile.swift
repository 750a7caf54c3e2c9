/// What is known of a person, and where a person can go from there.
public enum Profile {}
