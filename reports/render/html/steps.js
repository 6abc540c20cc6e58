// Stepping through counterexamples; the page reads without it.
'use strict';

(function () {
  for (const trace of document.querySelectorAll('.trace')) {
    const steps = Array.from(trace.querySelectorAll('.step'));
    const controls = trace.querySelector('.controls');
    const position = controls.querySelector('output');
    let at = -1;

    function open(all) {
      trace.querySelectorAll('.step details').forEach((details) => { details.open = all; });
    }

    // One step is current; its state is open.
    function go(to) {
      at = Math.max(0, Math.min(to, steps.length - 1));
      open(false);
      steps.forEach((step, i) => { step.classList.toggle('current', i === at); });
      const details = steps[at].querySelector('details');
      if (details !== null) {
        details.open = true;
      }
      steps[at].setAttribute('aria-current', 'step');
      steps.filter((step, i) => i !== at).forEach((step) => { step.removeAttribute('aria-current'); });
      steps[at].scrollIntoView({block: 'nearest'});
      position.textContent = `step ${at} of ${steps.length - 1}`;
    }

    // After the last step of a loop comes its first.
    function next() {
      const loop = steps.findIndex((step) => step.dataset.loop === 'first');
      go(at === steps.length - 1 && loop >= 0 ? loop : at + 1);
    }

    controls.hidden = false;
    controls.querySelector('[data-step=first]').addEventListener('click', () => go(0));
    controls.querySelector('[data-step=back]').addEventListener('click', () => go(at - 1));
    controls.querySelector('[data-step=on]').addEventListener('click', next);
    controls.querySelector('[data-step=all]').addEventListener('click', () => open(true));
    trace.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) {
        return;
      }
      if (event.key === 'ArrowRight' || event.key === 'n') {
        event.preventDefault();
        next();
      } else if (event.key === 'ArrowLeft' || event.key === 'p') {
        event.preventDefault();
        go(at - 1);
      }
    });
  }
})();
