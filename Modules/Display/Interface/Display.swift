/// What a screen shows, and the terminal that shows it.
public enum Display {}
