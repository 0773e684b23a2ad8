import EventLog
import Foundation
public import ProjectionEngine

extension TripStore: TripQuerying {
    /// How the cache of decoded answers fares. `read` does not go through it.
    public var cacheStatistics: CacheStatistics { views.cacheStatistics }
}
