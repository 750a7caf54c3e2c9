import Foundation
import SwiftUI

/// A greeting, and a button that greets again in a sheet.
struct CardView: View {
    let phrase: String
    let greetAgain: @MainActor () async throws -> Void
    @State private var failure: String?

    var body: some View {
        VStack {
            Text(failure ?? phrase)
            Button("Greet again") {
                Task {
                    do { try await greetAgain() } catch { failure = error.localizedDescription }
                }
            }
        }
    }
}

#Preview("A long name") {
    CardView(phrase: "Hello, Wolfeschlegelsteinhausenbergerdorff!") {}
}
