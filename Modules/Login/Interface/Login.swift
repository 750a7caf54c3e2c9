/// The session of the user who is signed in, and the routes for signing in and out.
public enum Login {}
