#if Hub
    import Foundation
    import TestSupport
    import Testing

    /// What a package fetches and builds that uses this one.
    @Suite("A package that uses TripStore", .timeLimit(.minutes(5)))
    struct FreshPackageTests {
        private static let ofNetworks = ["grpc-swift-2", "grpc-swift-nio-transport", "swift-nio", "swift-nio-ssl"]

        @Test("alone fetches no NIO and no gRPC")
        func alone() async throws {
            let packages = try await dependencies(of: package(traits: nil))
            #expect(packages.contains("swift-crypto"))
            let ofHubs = ["nio", "grpc", "lifecycle", "protobuf"]
            #expect(packages.filter { package in ofHubs.contains { package.contains($0) } } == [])
        }

        @Test("with the trait Hub fetches them")
        func withTrait() async throws {
            let packages = try await dependencies(of: package(traits: ["Hub"]))
            #expect(Set(Self.ofNetworks).subtracting(packages) == [])
        }

        /// A small package in a folder of its own.
        private func package(traits: [String]?) throws -> URL {
            let root = URL(fileURLWithPath: SourceFile.path("Tests/HubCarrierTests/Package")).resolvingSymlinksInPath()
                .appendingPathComponent("../../..").standardized
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fresh-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("Sources/app"), withIntermediateDirectories: true)
            try Data("import TripStore\n".utf8).write(to: folder.appendingPathComponent("Sources/app/main.swift"))
            // The manifest that README shows, with the place of this package, and with traits.
            let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
            let blocks = readme.components(separatedBy: "```swift\n")
            let shown = try #require(blocks.first { $0.hasPrefix("// swift-tools-version") })
            let chosen = traits.map { ", traits: \($0)" } ?? ""
            let manifest = shown.components(separatedBy: "\n```")[0]
                .replacing("path: \"../tripstore\"", with: "name: \"tripstore\", path: \"\(root.path)\"\(chosen)")
                .replacing("first-trips", with: "app")
            try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
            return folder
        }

        /// Waits for a process on a thread of its own: the tests of connections need those of the pool.
        private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
            try await withCheckedThrowingContinuation { continuation in
                Thread { continuation.resume(with: Result { try body() }) }.start()
            }
        }

        /// The names of all packages that were fetched.
        private func dependencies(of package: URL) async throws -> Set<String> {
            defer { try? FileManager.default.removeItem(at: package) }
            let resolved = try #require(
                try await onThread { try Program.run("swift", ["package", "--package-path", package.path, "resolve"]) })
            try #require(resolved.code == 0, "\(resolved.complaint)")
            let checkouts = package.appendingPathComponent(".build/checkouts").path
            return Set(try FileManager.default.contentsOfDirectory(atPath: checkouts))
        }
    }
#endif
