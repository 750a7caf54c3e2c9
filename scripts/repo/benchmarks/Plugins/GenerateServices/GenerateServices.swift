import Foundation
import PackagePlugin

/// Has the thousand services written before the benchmark is compiled.
@main
struct GenerateServices: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let file = context.pluginWorkDirectoryURL.appending(path: "ThousandServices.swift")
        return [
            .buildCommand(
                displayName: "Writing a thousand services",
                executable: try context.tool(named: "ServiceGenerator").url,
                arguments: [file.path],
                outputFiles: [file])
        ]
    }
}
