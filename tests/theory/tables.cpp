// The closed forms that the simulator is held against, against tables of their values that were computed elsewhere, to
// every printed digit.
#include <string>
#include <string_view>

#include "tests/theory/closed_forms.hpp"
#include "tests/theory/statistics.hpp"

namespace headroom::test {
namespace {

void check_printed(double value, std::string_view printed) {
  const std::size_t point = printed.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : printed.size() - point - 1;
  CHECK(fmt::format("{:.{}f}", value, decimals) == printed);
}

TEST_CASE("M/M/1: closed forms give the tabulated values", "[theory]") {
  struct Row {
    double lambda;
    std::string_view present, queued, sojourn, wait, p99_sojourn, p99_wait, ten_or_more;
  };
  for (const Row& row : {Row{0.5, "1", "0.5", "2", "1", "9.210340372", "7.824046011", "0.000976562"},
                         Row{0.8, "4", "3.2", "5", "4", "23.025850930", "21.910133173", "0.107374182"},
                         Row{0.9, "9", "8.1", "10", "9", "46.051701860", "44.998096703", "0.348678440"},
                         Row{0.95, "19", "18.05", "20", "19", "92.103403720", "91.077537832", "0.598736939"}}) {
    INFO(row.lambda);
    const double wait = wait_in_mmc(row.lambda, 1, 1);
    check_printed(row.lambda * (wait + 1), row.present);
    check_printed(row.lambda * wait, row.queued);
    check_printed(wait + 1, row.sojourn);
    check_printed(wait, row.wait);
    check_printed(sojourn_quantile_in_mm1(row.lambda, 1, 0.99), row.p99_sojourn);
    check_printed(wait_quantile_in_mmc(row.lambda, 1, 1, 0.99), row.p99_wait);
    check_printed(std::pow(row.lambda, 10), row.ten_or_more);
  }
  check_printed(sojourn_quantile_in_mm1(0.8, 1, 0.5), "3.465735903");
  check_printed(second_moment_fifo(0.5), "4");
  check_printed(second_moment_random(0.5), "5.333333");
  check_printed(second_moment_lifo(0.5), "8");
  check_printed(second_moment_fifo(0.8), "40");
  check_printed(second_moment_random(0.8), "66.666667");
  check_printed(second_moment_lifo(0.8), "200");
}

TEST_CASE("M/M/c: closed forms give the tabulated values", "[theory]") {
  struct Row {
    double lambda, mu;
    int servers;
    std::string_view b, c, wait, queued, p99;
  };
  for (const Row& row : {
           Row{8, 1, 10, "0.1216610643", "0.4091801508", "0.2045900754", "1.6367206032", "1.8557852163"},
           Row{9, 1, 10, "0.1679632263", "0.6687315241", "0.6687315241", "6.0185837170", "4.2027975773"},
           Row{9.5, 1, 10, "0.1913791583", "0.8255855781", "1.6511711563", "15.6861259844", "8.8270156665"},
           Row{1.6, 1, 2, "0.3298969072", "0.7111111111", "1.7777777778", "2.8444444444", "10.6606089975"},
           Row{45, 1, 50, "0.0541044722", "0.3638644672", "0.0727728934", "3.2747802049", "0.7188392725"},
           Row{90, 1, 100, "0.0269573805", "0.2169404809", "0.0216940481", "1.9524643282", "0.3077037941"},
           Row{3, 0.5, 8, "0.1218757837", "0.3569810859", "0.3569810859", "1.0709432576", "3.5750977067"},
       }) {
    INFO(row.lambda << " " << row.servers);
    check_printed(erlang_b(row.lambda / row.mu, row.servers), row.b);
    check_printed(erlang_c(row.lambda / row.mu, row.servers), row.c);
    check_printed(wait_in_mmc(row.lambda, row.mu, row.servers), row.wait);
    check_printed(row.lambda * wait_in_mmc(row.lambda, row.mu, row.servers), row.queued);
    check_printed(wait_quantile_in_mmc(row.lambda, row.mu, row.servers, 0.99), row.p99);
  }
}

TEST_CASE("bounded depth: closed forms give the tabulated values", "[theory]") {
  struct Row {
    double lambda;
    int servers, depth;
    std::string_view blocked, effective, queued, wait;
  };
  for (const Row& row : {
           Row{8, 10, 0, "0.1216610643", "7.026711486", "0", "0"},
           Row{8, 10, 5, "0.0300380337", "7.759695731", "0.631854731", "0.0814277716"},
           Row{10, 10, 5, "0.1035173575", "8.964826425", "1.552760362", "0.1732058479"},
           Row{12, 10, 0, "0.3019250403", "8.376899517", "0", "0"},
           Row{12, 10, 5, "0.2032608989", "9.560869213", "2.450579896", "0.2563135047"},
           Row{12, 10, 20, "0.1686372446", "9.976353065", "15.309314296", "1.5345601941"},
           Row{20, 10, 10, "0.5000344596", "9.999310809", "9.001596902", "0.9002217327"},
           Row{5, 4, 2, "0.2935429935", "3.532285033", "0.821920382", "0.2326880119"},
           Row{0.8, 1, 4, "0.0888194987", "0.728944401", "1.139387631", "1.5630652070"},
           Row{1, 1, 4, "0.1666666667", "0.833333333", "1.666666667", "2"},
           Row{1.5, 1, 9, "0.3372320801", "0.994151880", "7.134506765", "7.1764756570"},
       }) {
    INFO(row.lambda << " " << row.servers << " " << row.depth);
    const BoundedDepth queue = bounded_depth(row.lambda, 1, row.servers, row.depth);
    check_printed(queue.blocked, row.blocked);
    check_printed(queue.effective, row.effective);
    check_printed(queue.waiting, row.queued);
    check_printed(queue.wait, row.wait);
  }
}

TEST_CASE("nested caps: the product form gives the tabulated values", "[theory]") {
  struct Row {
    std::vector<double> offered;
    std::vector<int> caps;
    int process;
    std::vector<std::string_view> p429, p503, inflight;
  };
  for (const Row& row : {
           Row{{6, 3},
               {6, 6},
               8,
               {"0.1608098886", "0.0073901603"},
               {"0.1649483784", "0.2447621098"},
               {"4.045450398", "2.243543190"}},
           Row{{30, 3},
               {6, 6},
               8,
               {"0.7242157932", "0.0000409821"},
               {"0.0870720388", "0.4704420591"},
               {"5.661365039", "1.588550876"}},
           Row{{30, 3},
               {8, 8},
               8,
               {"0.3575311168", "0.0000000036"},
               {"0.4088685844", "0.7663996976"},
               {"7.008008964", "0.700800896"}},
           Row{{30, 3}, {5, 5}, 10, {"0.8394443500", "0.1100543478"}, {"0", "0"}, {"4.816669499", "2.669836957"}},
           Row{{100, 2, 2},
               {4, 4, 4},
               8,
               {"0.9514841794", "0.0208061633", "0.0208061633"},
               {"0.0090171908", "0.2846255363", "0.2846255363"},
               {"3.949862981", "1.389136601", "1.389136601"}},
       }) {
    const NestedLoss loss = nested_caps(row.offered, row.caps, row.process);
    for (std::size_t i = 0; i < row.offered.size(); ++i) {
      INFO(row.offered[0] << " under " << row.process << ", tenant " << i);
      check_printed(loss.p429[i], row.p429[i]);
      check_printed(loss.p503[i], row.p503[i]);
      check_printed(loss.inflight[i], row.inflight[i]);
    }
  }
  // Caps that sum to the process cap isolate: each tenant alone is Erlang's loss system.
  check_printed(erlang_b(3, 5), "0.1100543478");
}

TEST_CASE("bounded wait: closed forms give the tabulated values", "[theory]") {
  struct Row {
    double lambda, mu;
    int servers;
    double most;
    std::string_view timed_out, waits, wait_served, utilisation;
  };
  for (const Row& row : {
           Row{8, 1, 10, 0.5, "0.0342275877", "0.3282907979", "0.0636409106", "0.7726179298"},
           Row{10, 1, 10, 0.5, "0.1035173575", "0.6211041450", "0.1443382066", "0.8964826425"},
           Row{12, 1, 10, 0.5, "0.1995542107", "0.8302658065", "0.2292843953", "0.9605349472"},
           Row{12, 1, 10, 0.1, "0.2632051650", "0.5017601753", "0.0167279639", "0.8841538020"},
           Row{15, 1, 10, 0.2, "0.3580528275", "0.8107179343", "0.0820754602", "0.9629207588"},
           Row{20, 1, 10, 1, "0.5000016019", "0.9999805038", "0.9000103069",
               "0.9999967962"},  // printed ...68; it is ...689695
           Row{0.8, 1, 1, 1, "0.2751964929", "0.5798428057", "0.2031572670", "0.5798428057"},
           Row{1.2, 1, 1, 1, "0.3863059393", "0.7364328728", "0.2947641840", "0.7364328728"},
           Row{2, 1, 1, 2, "0.5175093175", "0.9649813650", "1.2177366505", "0.9649813650"},
           Row{120, 10, 10, 0.05, "0.1995542107", "0.8302658065", "0.0229284395", "0.9605349472"},
       }) {
    INFO(row.lambda << " " << row.servers << " " << row.most);
    const BoundedWait queue = bounded_wait(row.lambda, row.mu, row.servers, row.most);
    check_printed(queue.timed_out, row.timed_out);
    check_printed(queue.waits, row.waits);
    check_printed(queue.wait_served, row.wait_served);
    check_printed(queue.utilisation, row.utilisation);
  }
}

TEST_CASE("one server and closed loops: closed forms give the tabulated values", "[theory]") {
  check_printed(wait_in_mg1(0.8, 1), "2.0");
  check_printed(wait_in_mg1(0.8, 1.25), "2.5");
  check_printed(wait_in_mg1(0.8, 1.5), "3.0");
  check_printed(wait_in_mg1(0.8, 4.0 / 3), "2.666666667");
  check_printed(wait_in_mg1(0.8, 2), "4.0");
  check_printed(wait_in_mg1(0.8, std::exp(1.0)), "5.436563657");
  check_printed(wait_in_mg1(0.8, 0.9 * 0.25 + 0.1 * 5.5 * 5.5), "6.5");
  check_printed(wait_in_mg1(0.5, 0.9 * 0.25 + 0.1 * 5.5 * 5.5), "1.625");
  check_printed(wait_in_mg1(0.8, 1 + 4), "10");
  check_printed(wait_in_mg1(0.8, 1 + 10), "22");
  check_printed(wait_in_mg1(0.5, 1), "0.5");
  check_printed(wait_in_mg1(0.9, 1), "4.5");
  check_printed(wait_in_mg1(0.95, 1), "9.5");
  check_printed(cobham(0.3, 0.5).first, "1.142857143");
  check_printed(cobham(0.3, 0.5).second, "5.714285714");
  // Conservation: weighted by load, priorities wait as long as first come first served.
  check_printed(0.3 * cobham(0.3, 0.5).first + 0.5 * cobham(0.3, 0.5).second, "3.2");

  struct Row {
    int clients, servers;
    double think;
    std::string_view throughput, response;
  };
  for (const Row& row : {Row{10, 1, 10, "0.785417657", "2.732079439"}, Row{20, 2, 9, "1.756122256", "2.388728733"},
                         Row{50, 10, 4, "9.321043682", "1.364206167"}, Row{5, 1, 1, "0.996932515", "4.015384615"},
                         Row{15, 10, 1, "7.448634797", "1.013791844"}}) {
    const ClosedLoop loop = machine_repair(row.clients, row.servers, row.think, 1);
    check_printed(loop.throughput, row.throughput);
    check_printed(loop.response, row.response);
    CHECK(loop.throughput * (loop.response + row.think) == Approx(row.clients));
  }
}

TEST_CASE("limits, leases and retries: closed forms give the tabulated values", "[theory]") {
  check_printed(accepted_by_bucket(2, 1, 1), "0.3333333333");
  check_printed(accepted_by_bucket(1, 1, 1), "0.5");
  check_printed(accepted_by_bucket(1, 1, 5), "0.8965510587");
  check_printed(accepted_by_bucket(0.8, 1, 3), "0.8967010102");
  check_printed(accepted_by_bucket(0.8, 1, 10), "0.9963607689");
  check_printed(accepted_by_bucket(0.9, 1, 10), "0.9833682522");
  check_printed(accepted_by_bucket(1.2, 1, 5), "0.8008533067");
  check_printed(accepted_by_bucket(2, 1, 5), "0.4997469170");
  check_printed(accepted_by_bucket(5, 1, 5), "0.1999999999");

  check_printed(claimable_under_skew(8, 4, 2), "6.131225586");
  check_printed(claimable_under_skew(16, 4, 4), "13.297611218");
  check_printed(claimable_under_skew(64, 4, 16), "58.503192420");
  check_printed(claimable_under_skew(256, 4, 64), "244.959771325");
  check_printed(claimable_under_skew(8, 8, 1), "5.251128674");
  check_printed(claimable_under_skew(100, 4, 25), "93.115023117");

  check_printed(erlang_tail(1, 10, 30), "0.049787068");
  check_printed(erlang_tail(1, 5, 30), "0.002478752");
  check_printed(erlang_tail(1, 10, 10), "0.367879441");
  check_printed(rows_past_lease(8, 30, 5), "2.314021389");
  check_printed(erlang_tail(8, 5, 30), "0.743979760");
  check_printed(rows_past_lease(16, 60, 5), "4.246356052");
  check_printed(erlang_tail(16, 5, 60), "0.844415652");
  check_printed(rows_past_lease(32, 120, 5), "8.131901188");
  check_printed(rows_past_lease(32, 30, 1), "3.346030297");

  CHECK(herd_attempts(1000, 100) == 5500);
  CHECK(herd_attempts(1000, 250) == 2500);
  CHECK(herd_attempts(100, 7) == 765);
  check_printed(amplification(0.5, 3), "1.875");
  check_printed(amplification(0.9, 3), "3.439");
  check_printed(amplification(1, 3), "4");
  check_printed(amplification(0.2, 2), "1.24");
  check_printed(amplification(0.5, 10), "1.999023438");
}

}  // namespace
}  // namespace headroom::test
