import DisplayInterface
import ProfileInterface

extension OverviewModel {
    var content: Display.Content {
        Display.Content(title: title, elements: (notice.map { [.text($0)] } ?? []) + elements)
    }

    private var elements: [Display.Element] {
        if !isSignedIn {
            [.text("You are not signed in."), .button(Display.Button("Sign in", action: signIn))]
        } else if let user {
            description(of: user) + links(of: user) + [reload("Reload")]
        } else if isLoading {
            [.progress("Loading the profile")]
        } else {
            [reload("Try again")]
        }
    }

    private func description(of user: Profile.User) -> [Display.Element] {
        let edit = Display.Button("Edit display name", action: edit)
        return [.text(user.displayName), .text("@\(user.id)")] + (mayBeEdited ? [.button(edit)] : [])
    }

    private func links(of user: Profile.User) -> [Display.Element] {
        user.links.map { link in
            guard let route = link.route else {
                return .text("\(link.title) (this version cannot open it)")
            }
            return .row(Display.Row(link.title) { try await self.open(route) })
        }
    }

    private func reload(_ title: String) -> Display.Element {
        .button(Display.Button(title, action: load))
    }
}
