import DisplayInterface
import ProfileInterface

extension EditorModel {
    var content: Display.Content {
        Display.Content(title: "Edit profile", elements: elements)
    }

    private var elements: [Display.Element] {
        if let closed { return [.text(closed)] }
        guard let displayName else {
            return [
                isLoading
                    ? .progress("Loading the profile") : .button(Display.Button("Try again", action: load))
            ]
        }
        return [
            .field(
                Display.Field(
                    "Display name", text: displayName, limit: Profile.User.maximumNameLength, submit: save,
                    change: type)),
            .button(Display.Button("Save", action: save)),
        ]
    }
}
