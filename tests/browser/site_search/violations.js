// Says on the page what its policy has refused.
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  document.querySelector('#violations').append(`${violatedDirective}: ${blockedURI}\n`);
});
