/// Who is signed in, and how a user signs in.
public enum Login {}
