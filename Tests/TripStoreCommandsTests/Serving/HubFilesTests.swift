#if Hub
    import Foundation
    import StoreSupport
    import TestSupport
    import Testing

    @Suite("What runs a hub as a service")
    struct HubFilesTests {
        private let place = TemporaryFolder()

        private static func text(_ name: String) throws -> String {
            try String(contentsOfFile: SourceFile.path("Tools/hub/\(name)"), encoding: .utf8)
        }

        /// Runs the command line with a certificate that is not there: then it ends after all options were read.
        private func expectTaken(_ words: [String]) async throws {
            let arguments = words.map {
                ["%S/tripstore-hub", "/var/lib/tripstore-hub"].contains($0) ? place.path("hub") : $0
            }
            #expect(arguments.first == "serve" && arguments.contains(place.path("hub")))
            let listening = arguments.map { $0.hasSuffix(":4433") || $0.hasSuffix(":9464") ? "127.0.0.1:0" : $0 }
            let outcome = await Tool.run(listening + ["--certificate", "/none", "--key", "/none"])
            #expect(outcome.code == 2 && outcome.error.contains("/none"), "\(outcome.error)")
        }

        @Test("The unit's options are the tool's")
        func unit() async throws {
            let text = try Self.text("tripstore-hub.service").replacingOccurrences(of: "\\\n", with: " ")
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
            let words = line.split(separator: " ").dropFirst().map(String.init)
            #expect(words.last == "$HUB_OPTIONS")
            let environment = try #require(text.split(separator: "\n").first { $0.hasPrefix("Environment=") })
            let usual = environment.trimmingPrefix("Environment=\"HUB_OPTIONS=").dropLast().split(separator: " ")
            // In place of the certificate there is one that is not there.
            try await expectTaken(Array(words.dropLast()) + usual.map(String.init).filter { $0 != "--self-signed" })
        }

        @Test("The container's options are the tool's")
        func container() async throws {
            let text = try Self.text("Containerfile").replacingOccurrences(of: "\\\n", with: " ")
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ENTRYPOINT ") })
            let words = try #require(
                try JSONSerialization.jsonObject(with: Data(line.dropFirst("ENTRYPOINT ".count).utf8)) as? [String])
            #expect(words.first == "/usr/local/bin/tripstore-hub")
            try await expectTaken(Array(words.dropFirst()))
        }
    }
#endif
