// Closed forms of queueing theory that the simulator is held against. Rates are per unit of time, times in units.
//
//   erlang_c(8, 10)                        // P(an arrival waits) with 8 erlangs on 10 servers
//   bounded_depth(12, 1, 10, 5).blocked    // of an M/M/10/15 queue
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headroom::test {

// -- M/M/c ------------------------------------------------------------------------------------------------------------

// Erlang's loss formula by its recursion: B(0) = 1, B(k) = a B(k-1) / (k + a B(k-1)).
inline double erlang_b(double offered, int servers) {
  double blocking = 1;
  for (int k = 1; k <= servers; ++k) {
    blocking = offered * blocking / (k + offered * blocking);
  }
  return blocking;
}

// Probability that an arrival waits.
inline double erlang_c(double offered, int servers) {
  const double blocking = erlang_b(offered, servers);
  return blocking / (1 - offered / servers * (1 - blocking));
}

inline double wait_in_mmc(double lambda, double mu, int servers) {
  return erlang_c(lambda / mu, servers) / (servers * mu - lambda);
}

// The wait t with P(Wq > t) = C e^{-(c mu - lambda) t} = 1 - p; 0 where fewer wait.
inline double wait_quantile_in_mmc(double lambda, double mu, int servers, double p) {
  return std::max(0.0, std::log(erlang_c(lambda / mu, servers) / (1 - p)) / (servers * mu - lambda));
}

// One server: the time in the system is exponential with rate mu - lambda.
inline double sojourn_quantile_in_mm1(double lambda, double mu, double p) {
  return -std::log(1 - p) / (mu - lambda);
}

// E[Wq^2] with one server and mu = 1, by the order of waiting.
inline double second_moment_fifo(double rho) {
  return 2 * rho / ((1 - rho) * (1 - rho));
}
inline double second_moment_random(double rho) {
  return second_moment_fifo(rho) / (1 - rho / 2);
}
inline double second_moment_lifo(double rho) {
  return second_moment_fifo(rho) / (1 - rho);
}

// -- bounded queues ---------------------------------------------------------------------------------------------------

struct BoundedDepth {
  double blocked;    // of the arrivals
  double effective;  // rate of those admitted
  double waiting;    // on average
  double wait;       // of those admitted
};

// M/M/c/K with K = c + depth: the stationary distribution of a birth-death chain.
inline BoundedDepth bounded_depth(double lambda, double mu, int servers, int depth) {
  double weight = 1;
  double total = 1;
  double queued = 0;
  for (int n = 1; n <= servers + depth; ++n) {
    weight *= lambda / (mu * std::min(n, servers));
    total += weight;
    queued += weight * std::max(0, n - servers);
  }
  const double blocked = weight / total;
  const double effective = lambda * (1 - blocked);
  return {blocked, effective, queued / total, queued / total / effective};
}

struct BoundedWait {
  double timed_out;    // of the arrivals
  double waits;        // of the arrivals, served or not
  double wait_served;  // of those served
  double utilisation;
};

// M/M/c+D: unlimited depth, waits of at most D (Baccelli and Hebuterne, 1981; Zeltyn and Mandelbaum, 2005). The mean
// wait of those served follows from the density of the offered wait, which is proportional to e^{theta x} below D.
inline BoundedWait bounded_wait(double lambda, double mu, int servers, double most) {
  const double busy = servers * mu;
  const double theta = lambda - busy;
  const double grown = std::exp(theta * most);
  const double below = theta == 0 ? most : (grown - 1) / theta;  // integral of e^{theta x} over [0, D]
  const double j = below + grown / busy;
  const double offered = lambda / mu;
  double term = 1;  // a^k / k!, over that of c - 1
  double e = 0;
  for (int k = servers - 1; k >= 0; --k) {
    e += term;
    term *= k / offered;
  }
  const double total = e + lambda * j;
  const double timed_out = (1 + theta * j) / total;
  const double first_moment = theta == 0 ? most * most / 2 : most * grown / theta - (grown - 1) / (theta * theta);
  return {timed_out, lambda * j / total, lambda * first_moment / total / (1 - timed_out),
          offered * (1 - timed_out) / servers};
}

// -- nested caps ------------------------------------------------------------------------------------------------------

struct NestedLoss {  // by tenant
  std::vector<double> p429;
  std::vector<double> p503;
  std::vector<double> inflight;
};

// Tenants with caps of their own under one of the process, nobody waits, the tenant's cap is looked at first: product
// form pi(n) ~ prod a_i^n_i / n_i!.
inline NestedLoss nested_caps(const std::vector<double>& offered, const std::vector<int>& caps, int process) {
  const std::size_t tenants = offered.size();
  NestedLoss loss{std::vector<double>(tenants, 0), std::vector<double>(tenants, 0), std::vector<double>(tenants, 0)};
  double total = 0;
  std::vector<int> inside(tenants, 0);
  const auto visit = [&](const auto& self, std::size_t tenant, double weight) -> void {
    const int sum = std::accumulate(inside.begin(), inside.end(), 0);
    if (tenant < tenants) {
      for (int n = 0; n <= caps[tenant] && sum + n <= process; ++n) {
        inside[tenant] = n;
        self(self, tenant + 1, weight);
        weight *= offered[tenant] / (n + 1);
      }
      inside[tenant] = 0;
      return;
    }
    total += weight;
    for (std::size_t i = 0; i < tenants; ++i) {
      loss.p429[i] += inside[i] == caps[i] ? weight : 0;
      loss.p503[i] += inside[i] < caps[i] && sum == process ? weight : 0;
      loss.inflight[i] += inside[i] * weight;
    }
  };
  visit(visit, 0, 1.0);
  for (std::size_t i = 0; i < tenants; ++i) {
    loss.p429[i] /= total;
    loss.p503[i] /= total;
    loss.inflight[i] /= total;
  }
  return loss;
}

// -- one server, any service ------------------------------------------------------------------------------------------

// Pollaczek and Khinchine, E[S] = 1.
inline double wait_in_mg1(double lambda, double second_moment) {
  return lambda * second_moment / (2 * (1 - lambda));
}

struct PriorityWaits {
  double first;
  double second;
};
// Cobham: two classes, non-preemptive, exponential service with mu = 1.
inline PriorityWaits cobham(double lambda_first, double lambda_second) {
  const double residual = lambda_first + lambda_second;  // sum of lambda_i E[S^2] / 2
  const double first = residual / (1 - lambda_first);
  return {first, first / (1 - lambda_first - lambda_second)};
}

// -- closed loop ------------------------------------------------------------------------------------------------------

struct ClosedLoop {
  double throughput;
  double response;
};

// N clients that think for Z on average, c servers: the machine repair model.
inline ClosedLoop machine_repair(int clients, int servers, double think, double service) {
  double weight = 1;
  double total = 1;
  double inside = 0;
  for (int n = 1; n <= clients; ++n) {
    weight *= (clients - n + 1) / think * service / std::min(n, servers);
    total += weight;
    inside += n * weight;
  }
  inside /= total;
  const double throughput = (clients - inside) / think;
  return {throughput, inside / throughput};
}

// -- limits -----------------------------------------------------------------------------------------------------------

// A bucket of b tokens that come back one by one at rate r, Poisson arrivals, nobody waits: accepted of the arrivals.
// The sum alternates, hence long double.
inline double accepted_by_bucket(double lambda, double rate, int burst) {
  const long double rho = lambda / rate;
  long double sum = 0;
  long double factorial = 1;
  for (int k = 0; k < burst; ++k) {
    factorial *= k == 0 ? 1 : k;
    const long double x = rho * (burst - 1 - k);
    sum += std::pow(-x, static_cast<long double>(k)) / factorial * std::exp(x);
  }
  return static_cast<double>(sum / (1 + rho * sum));
}

// P(X = k) of a binomial, for k = 0..n.
inline std::vector<double> binomial(int n, double p) {
  std::vector<double> mass(static_cast<std::size_t>(n) + 1);
  for (int k = 0; k <= n; ++k) {
    const double log_choose = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0);
    mass[static_cast<std::size_t>(k)] = std::exp(log_choose + k * std::log(p) + (n - k) * std::log1p(-p));
  }
  return mass;
}

// Rows that can be claimed if they are spread at random over nodes with this ceiling each.
inline double claimable_under_skew(int rows, int nodes, int ceiling) {
  const std::vector<double> on_a_node = binomial(rows, 1.0 / nodes);
  double mean = 0;
  for (int k = 0; k <= rows; ++k) {
    mean += std::min(k, ceiling) * on_a_node[static_cast<std::size_t>(k)];
  }
  return nodes * mean;
}

// P(Erlang-k with stages of mean m > t), by the Poisson count of stages that are over.
inline double erlang_tail(int stages, double mean, double t) {
  double term = std::exp(-t / mean);
  double sum = 0;
  for (int i = 0; i < stages; ++i) {
    sum += term;
    term *= t / mean / (i + 1);
  }
  return sum;
}

// Of a batch that one worker executes row by row: rows whose end is later than the lease.
inline double rows_past_lease(int batch, double lease, double mean) {
  double rows = 0;
  for (int k = 1; k <= batch; ++k) {
    rows += erlang_tail(k, mean, lease);
  }
  return rows;
}

// -- retries ----------------------------------------------------------------------------------------------------------

// Tries of N clients that come back all at once, of which C are served each time.
inline int herd_attempts(int clients, int served) {
  int attempts = 0;
  for (int left = clients; left > 0; left -= served) {
    attempts += left;
  }
  return attempts;
}

// Tries per logical request if each fails with probability p and is tried again at most r times.
inline double amplification(double p, int retries) {
  double tries = 0;
  for (int k = 0; k <= retries; ++k) {
    tries += std::pow(p, k);
  }
  return tries;
}

}  // namespace headroom::test
