import DisplayInterface

extension EditorModel {
    /// The form as it looks now.
    var content: Display.Content {
        Display.Content(title: "Edit profile", error: problem, elements: elements)
    }

    private var elements: [Display.Element] {
        guard let displayName else {
            return [problem == nil ? .progress("Loading the profile") : .button(tryAgain(load))]
        }
        return [
            .field(Display.Field("Display name", text: displayName, submit: save) { self.displayName = $0 }),
            .button(problem == nil ? Display.Button("Save", action: save) : tryAgain(save)),
        ]
    }

    private func tryAgain(_ action: @escaping Display.Action) -> Display.Button {
        Display.Button("Try again", action: action)
    }
}
