/// Values that outlive the program, kept apart for each user.
public enum Storage {}
