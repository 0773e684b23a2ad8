import Foundation
import TestSupport
import Testing

/// The picture of the modules in the pages, held against the manifest.
@Suite("The picture of the modules")
struct ModulePictureTests {
    /// A module, and those right below it.
    struct Module: Hashable {
        let name: String
        let below: Set<String>
    }

    private static let pages = ["Contributing", "LifeOfACommit"]

    @Test("A page's picture has the modules of the manifest with what they depend on", arguments: pages)
    func picture(page: String) throws {
        let (shown, declared) = (try Self.shown(in: page), try Self.declared())
        #expect(declared.count > 15)
        for module in Set(shown).symmetricDifference(declared).sorted(by: { $0.name < $1.name }) {
            let place = shown.contains(module) ? "the picture alone" : "the manifest alone"
            Issue.record("\(module.name) → \(module.below.sorted().joined(separator: ", ")): \(place)")
        }
    }

    @Test("No arrow of a page's picture runs up", arguments: pages)
    func direction(page: String) throws {
        let shown = try Self.shown(in: page)
        for (line, module) in shown.enumerated() {
            let above = Set(shown[...line].map(\.name))
            #expect(module.below.isDisjoint(with: above), "\(module.name)")
        }
    }

    /// The lines of the picture: a module, and after an arrow those below it. A layer's name may stand before them.
    private static func shown(in page: String) throws -> [Module] {
        let path = SourceFile.path("Sources/TripStore/TripStore.docc/\(page).md")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let blocks = text.components(separatedBy: "```text\n").dropFirst().map {
            $0.components(separatedBy: "\n```")[0]
        }
        let picture = try #require(blocks.first { $0.contains("TripStoreCommands → ") })
        return picture.split(separator: "\n").map { line in
            let sides = line.components(separatedBy: " → ")
            return Module(
                name: sides[0].split(separator: " ").last.map { String($0) } ?? "",
                below: Set(sides.dropFirst().flatMap { $0.components(separatedBy: ", ") }))
        }
    }

    /// What the manifest calls a module or a program, without tests and samples.
    private static func declared() throws -> [Module] {
        let manifest = try String(contentsOfFile: SourceFile.path("Package.swift"), encoding: .utf8)
        return manifest.matches(of: /\b(?:module|program)\(([^)]*)\)/).compactMap { match in
            let call = match.output.1
            guard let names = call.firstMatch(of: /^\s*"([^"]+)"(?:,\s*"([^"]*)")?/),
                !call.contains("\"Tests"), !call.contains("Tools/samples")
            else { return nil }
            let below = (names.output.2 ?? "").split(separator: " ").map { String($0) }
            return Module(
                name: String(names.output.1), below: Set(below + (call.contains("hubCarrier") ? ["HubCarrier"] : [])))
        }
    }
}
