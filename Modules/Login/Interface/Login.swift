/// Who is signed in, and how a person signs in.
public enum Login {}
