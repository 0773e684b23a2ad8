/// How long it takes at least from the end of one item to the beginning of the next.
enum Connection {
    /// 0 for one place, or where nothing is known of either; see `AgendaFinding.neededMinutes`.
    static func minutes(from first: TripItem, to second: TripItem) -> Int {
        if let start = first.lastPlace?.point, let end = second.firstPlace?.point {
            return minutes(kilometers: start.kilometers(to: end))
        }
        guard case .transportation(let arriving) = first, case .transportation(let departing) = second,
            arriving.mode == departing.mode
        else { return 0 }
        let (here, there) = (arriving.arrival.code, departing.departure.code)
        guard !here.isEmpty, !there.isEmpty else { return 0 }
        return TextFolding.folded(here) == TextFolding.folded(there) ? 0 : 30
    }

    /// By road or by air, whichever is shorter, rounded up.
    static func minutes(kilometers: Double) -> Int {
        guard kilometers >= 1 else { return 0 }
        return Int((min(kilometers / 130, 1 + kilometers / 900) * 60).rounded(.up))
    }
}

extension TripItem {
    /// Where it begins.
    fileprivate var firstPlace: Coordinates? {
        if case .transportation(let journey) = self {
            journey.departure.coordinates ?? self.address?.coordinates
        } else {
            self.address?.coordinates
        }
    }

    /// Where it ends. The address of a journey says where one gets on.
    fileprivate var lastPlace: Coordinates? {
        if case .transportation(let journey) = self { journey.arrival.coordinates } else { self.address?.coordinates }
    }
}

extension Coordinates {
    fileprivate var point: GlobePoint? { GlobePoint(self) }
}
