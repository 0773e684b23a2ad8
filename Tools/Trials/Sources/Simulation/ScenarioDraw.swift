import TripStoreTestSupport

/// Draws the steps of long scenarios, and of those with hostile carriers and writers.
struct ScenarioDraw {
    private var random: SeededRandom
    let replicas: Int
    private let isHostile: Bool
    private let isLong: Bool
    private let isFounded: Bool

    /// The maximum error of a clock. No honest replica is a day ahead of another, and all accept the times of a hostile writer
    /// that is a few hours ahead.
    private static let clockError: Int64 = 6 * 3_600_000

    init(seed: UInt64, isHostile: Bool, isLong: Bool, isFounded: Bool) {
        random = SeededRandom(seed: seed)
        self.isHostile = isHostile
        self.isLong = isLong
        self.isFounded = isFounded
        replicas = Int.random(in: isLong ? 3...6 : 2...4, using: &random)
    }

    mutating func steps(_ count: Int?) -> [SimulationStep] {
        let count = count ?? number(10...40)
        // A shared trip to begin with.
        let beginning: [SimulationStep] = [
            .write(replica: 0, commits: 4, seed: random.next()), .exchange(1, with: 0, over: .direct), .backUp(0),
        ]
        return Array((beginning + (0..<max(count - beginning.count, 0)).map { _ in step() }).prefix(count))
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Mostly one of those at the start: the others may not have joined yet.
    private mutating func replica() -> Int {
        random.once(in: 6) ? number(0...Scenario.mostReplicas - 1) : number(0...replicas - 1)
    }

    private mutating func step() -> SimulationStep {
        if isHostile && random.once(in: 6) { return hostileStep() }
        switch number(0...999) {
        case 0..<290: return .write(replica: replica(), commits: number(1...3), seed: random.next())
        case 290..<300: return .writeUnknown(replica: replica(), seed: random.next())
        case 300..<330: return .load(replica: replica(), commits: number(1...4), seed: random.next())
        case 330..<375: return .undo(replica: replica(), seed: random.next())
        case 375..<395: return .redo(replica: replica(), seed: random.next())
        case 395..<435: return .resolve(replica: replica(), seed: random.next())
        case 435..<755: return .exchange(replica(), with: replica(), over: carrier())
        case 755..<770: return .writeBundle(from: replica(), for: random.once(in: 2) ? replica() : nil)
        case 770..<800: return .readBundle(number: number(0...(isLong ? 40 : 3)), into: replica())
        case 800..<840: return .crash(replica())
        case 840..<880: return .close(replica())
        case 880..<890: return .erase(replica: replica(), seed: random.next())
        case 890..<910: return .wait(milliseconds: Int64(number(0...5000)))
        case 910..<915: return .passDay
        case 915..<935:
            return .setClockApart(
                replica: replica(), by: Int64.random(in: -Self.clockError...Self.clockError, using: &random))
        case 935..<950: return .partition(random.once(in: 3) ? UInt32(number(0...1 << 12 - 1)) : 0)
        case 950..<953: return .join
        case 953..<973: return .backUp(replica())
        case 973..<995: return .restore(replica(), isSeen: random.once(in: 3))
        default: return .copy(replica(), isSeen: random.once(in: 3))
        }
    }

    private mutating func carrier() -> SimulatedCarrier {
        switch number(0...5) {
        case 0...2: .direct
        case 3: .cut(after: number(0...6))
        case 4: .messages(faults: 0, seed: random.next())
        default: .messages(faults: number(20...300), seed: random.next())
        }
    }

    // MARK: Hostility

    private mutating func hostileStep() -> SimulationStep {
        // In a founded journal no stranger writes, and carriers can withhold.
        if isFounded {
            return random.once(in: 3) ? deception() : .withhold(replica(), with: replica(), seed: random.next())
        }
        switch number(0...11) {
        case 0...3:
            return .tamper(replica(), with: replica(), tampering(), seed: random.next())
        case 4: return .readTampered(from: replica(), into: replica(), tampering(), seed: random.next())
        case 5, 6: return deception()
        default: return .attack(writer: number(0...2), act(), on: replica(), seed: random.next())
        }
    }

    private mutating func deception() -> SimulationStep {
        .deceive(replica(), HubLie.allCases[number(0...HubLie.allCases.count - 1)], seed: random.next())
    }

    private mutating func tampering() -> Tampering { Tampering.allCases[number(0...Tampering.allCases.count - 1)] }

    private mutating func act() -> HostileAct {
        switch number(0...19) {
        case 0...4: .write(commits: number(1...4))
        // In a long scenario, the forks of all steps exceed the number of branches that are kept.
        case 5...7: .fork(branches: number(1...(isLong ? 30 : 100)))
        case 8: .tie
        case 9: .erase(statements: number(1...6))
        case 10...12: .ahead(hours: [72, 1000, 40_000_000][number(0...2)])
        case 13: random.once(in: 3) ? .drag : .tie
        case 14...16: .forge(Forgery.allCases[number(0...Forgery.allCases.count - 1)])
        default: .lie(HostileLie.allCases[number(0...HostileLie.allCases.count - 1)])
        }
    }
}

extension Scenario {
    /// Draws a scenario with a number of steps, or with a random number; `isHostile` adds hostile carriers, hubs and, except in every third
    /// seed, whose journal is founded, writers. With neither it is the scenario of `init(seed:)`.
    public init(seed: UInt64, steps: Int?, isHostile: Bool) {
        guard steps != nil || isHostile else {
            self.init(seed: seed)
            return
        }
        let isFounded = seed.isMultiple(of: isHostile ? 3 : 2)
        var draw = ScenarioDraw(seed: seed, isHostile: isHostile, isLong: steps != nil, isFounded: isFounded)
        self.init(seed: seed, replicas: draw.replicas, steps: draw.steps(steps), isFounded: isFounded)
    }
}
