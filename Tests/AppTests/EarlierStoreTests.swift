import Foundation
import Testing

/// The files of the version before stores of notes named their server, as that program wrote them: one note that a server
/// had, and one that was written while the server did not answer.
@MainActor
@Suite(.timeLimit(.minutes(5)))
final class EarlierStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(component: "\(UUID())").path

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static let logs = [
        "user-": "U1dTVE9SRQoBAAAAwWdG9SQAAAAAAAAADQAAAAAAAABub3Rlcy9hdXRob3JzBwAAAAAAAABbImFubiJdzxX5zQ==",
        "user-ann": """
        U1dTVE9SRQoBAAAAwWdG9YwAAAAAAAAAMQAAAAAAAABub3Rlcy9vdXRib3gvMUM2NDNCRkYtOTI4QS00QUU3LUE2QTYtQzk1QkQ1
        RDdBNEIySwAAAAAAAAB7Im1hZGUiOjgxNzIzODc5NC45MDI4MTEsImNvbnRlbnQiOnsic2F2ZSI6eyJ0ZXh0IjoiR3JlZW4iLCJ0
        aXRsZSI6IlRlYSJ9fX0mlgZb7AAAAAAAAAAxAAAAAAAAAG5vdGVzL291dGJveC8xQzY0M0JGRi05MjhBLTRBRTctQTZBNi1DOTVC
        RDVEN0E0QjL//////////y8AAAAAAAAAbm90ZXMvc2VudC8xQzY0M0JGRi05MjhBLTRBRTctQTZBNi1DOTVCRDVEN0E0QjJsAAAA
        AAAAAHsidGl0bGUiOiJUZWEiLCJpZCI6IjFDNjQzQkZGLTkyOEEtNEFFNy1BNkE2LUM5NUJENUQ3QTRCMiIsInRleHQiOiJHcmVl
        biIsImNoYW5nZWQiOjgxNzIzODc5NCwidmVyc2lvbiI6IjEifXh1dCaNAAAAAAAAADEAAAAAAAAAbm90ZXMvb3V0Ym94LzhFNzM3
        QTAwLTRCNDktNDdGNy05NTQ3LTdBNjA0MzJGM0UzRkwAAAAAAAAAeyJjb250ZW50Ijp7InNhdmUiOnsidGV4dCI6IkNvbGQiLCJ0
        aXRsZSI6Ik1pbGsifX0sIm1hZGUiOjgxNzIzODgyMS45NjA3NTM5fcy736o=
        """,
    ]

    @Test func notesOfTheEarlierVersion_areThere_andAnotherServerIsSentThemWhenTheUserWants() async throws {
        for (store, text) in Self.logs {
            let directory = "\(folder)/\(store)"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            let bytes = try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters))
            try bytes.write(to: URL(filePath: "\(directory)/log"))
        }
        let input = [FirstScreen.session, "ann", "secret", FirstScreen.notes, "", "1", "", "q"]
        let output = try await BuiltProgram.app.transcript(["--data", folder], input: input)
        #expect(
            output.contains(
                """
                == Home › Notes ==
                This server does not know 2 notes that are stored here.
                  1  Upload them
                  2  Keep them here only
                  3  Remove them here
                  4  New note
                  5  Synchronise
                  6  Search:
                  7  Milk — Cold · DAY · not sent
                  8  Tea — Green · DAY
                """))
        #expect(
            output.contains(
                """
                == Home › Notes ==
                  1  New note
                  2  Synchronise
                  3  Search:
                  4  Milk — Cold · DAY
                  5  Tea — Green · DAY
                """))
    }
}
