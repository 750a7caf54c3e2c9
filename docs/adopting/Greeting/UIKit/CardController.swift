import UIKit

/// A greeting as its title, and a button that greets again in a sheet.
final class CardController: UIViewController {
    var greetAgain: @MainActor () async throws -> Void = {}

    override func viewDidLoad() {
        super.viewDidLoad()
        let action = UIAction(title: "Greet again") { [weak self] _ in
            Task {
                do { try await self?.greetAgain() } catch { self?.title = error.localizedDescription }
            }
        }
        navigationItem.rightBarButtonItem = UIBarButtonItem(primaryAction: action)
    }
}
