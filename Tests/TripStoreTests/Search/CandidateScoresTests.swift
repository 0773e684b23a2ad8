import Events
import Foundation
import TestSupport
import Testing
import Trips

@testable import TripProjections

@Suite("Scores of candidates among others")
struct CandidateScoresTests {
    private static func candidate(_ number: Int, score: Int) -> SearchCandidate {
        let bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255))
        return SearchCandidate(EntityReference(kind: .activity, id: UUID(uuid: bytes)), score: score)
    }

    @Test("They are those of a dictionary, in whatever order the others come", arguments: Seeds.some(20))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for size in [0, 1, 2, 3, 7, 8, 9, 40] {
            let numbers = Set((0..<size).map { _ in Int.random(in: 1..<300, using: &generator) }).sorted()
            var scores = CandidateScores(of: numbers.map { Self.candidate($0, score: 1) })
            var expected: [Int: Int32] = [:]
            // Tokens one after another, each with entities in their order; some repeat one.
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let others = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    Int.random(in: 0...300, using: &generator)
                }
                for other in others.sorted() {
                    let score = Int32.random(in: 1...9, using: &generator)
                    scores.add(Self.candidate(other, score: Int(score)))
                    expected[other] = max(expected[other] ?? 0, score)
                }
            }
            #expect(scores.scores == numbers.map { expected[$0] ?? 0 }, "seed \(seed), \(size) candidates")
        }
    }
}
