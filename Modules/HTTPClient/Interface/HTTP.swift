/// Requests to a server and its answers.
public enum HTTP {}
