import Foundation
import StoreSupport
import TestSupport
import Testing

/// How much an app sees with `import TripStore`, by the symbol graph of the modules of this build.
@Suite(
    "The symbols behind one import",
    .enabled(if: BuiltModules.path != nil, "the modules do not lie beside the tests"))
struct FaceTests {
    /// Lowered with each symbol that goes; 1,400 is the aim. Who raises it lists what came: `TripStore.confirm(_:)`, by
    /// which an app's admin ends the days that a member's erasure waits for.
    private static let most = 1_355

    @Test("An app sees no more symbols than before, those of other modules included")
    func symbols() throws {
        let folder = TemporaryFolder()
        let modules = try #require(BuiltModules.path)
        let run = try #require(
            try Program.run("bash", [SourceFile.path("Tools/symbols"), modules, folder.url.path]))
        try #require(run.code == 0, "\(run.complaint)")
        let count = try #require(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(1...Self.most ~= count)
    }
}

/// The folder of this build's modules; nil if they lie elsewhere.
private enum BuiltModules {
    static let path = (try? KilledProcess.executable().deletingLastPathComponent()).flatMap { products in
        let modules = products.appendingPathComponent("Modules").path
        return FileManager.default.fileExists(atPath: modules + "/TripStore.swiftmodule") ? modules : nil
    }
}
