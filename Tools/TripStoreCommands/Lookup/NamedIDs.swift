import Foundation
import TripStore

extension TripStore {
    /// A text with names in the place of the ids of entities, deleted or not, that have one.
    func namingIDs(in text: String) throws -> String {
        // Most texts have none.
        guard text.utf8.count >= 36, text.contains("-") else { return text }
        let id = /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/
        return try read { views in
            var named = ""
            var rest = text[...]
            while let match = rest.firstMatch(of: id) {
                named += rest[..<match.range.lowerBound]
                let name = try UUID(uuidString: String(match.output.0)).flatMap { id in
                    try views.entities(withID: id).compactMap { entity in
                        try views.record(of: entity).map { entity.name(of: $0, in: Console.current.known) }
                    }.first { !$0.isEmpty }
                }
                named += name ?? String(match.output.0)
                rest = rest[match.range.upperBound...]
            }
            return named + rest
        }
    }
}
