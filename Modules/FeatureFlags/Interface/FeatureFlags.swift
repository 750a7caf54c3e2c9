/// The decisions of the server about the program: values of flags, and rules for routes.
public enum FeatureFlags {}
